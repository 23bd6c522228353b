/** The value of a request header, whatever the case its name was sent in; undefined where it is missing. */
export function header(
  headers: Readonly<Record<string, string | undefined>> | null,
  name: Lowercase<string>,
): string | undefined {
  return Object.entries(headers ?? {}).find(([sent]) => sent.toLowerCase() === name)?.[1]
}
