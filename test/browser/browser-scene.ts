import type { Locale } from '#shared/domain/session.ts'
import type { Tab } from './browser-tab.ts'

/** A page in one of its states, as a customer can come upon it. */
export interface Scene {
  readonly name: string
  /** Takes a tab there. */
  enter(tab: Tab): Promise<void>
}

/** A page as it is opened, with a button that is then pressed where one is given. */
export function scene(name: string, url: () => Promise<string>, locale: Locale, button?: string): Scene {
  return {
    name,
    async enter(tab) {
      await tab.visit(`${await url()}?locale=${locale}`)
      if (button) await tab.press(button)
    },
  }
}
