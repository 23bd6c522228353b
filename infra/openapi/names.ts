/** Returns an id as the name of a component: `live-application-submit` becomes `LiveApplicationSubmit`. */
export const pascalCase = (id: string): string =>
  id.replaceAll(/(?:^|[-_.])([a-z])/g, (_, letter: string) => letter.toUpperCase())
