import type { Locale } from '#shared/domain/session.ts'
import type { Tab } from './browser-tab.ts'

/** A page in one of the states that a customer can see. */
export interface Scene {
  readonly name: string
  /** Brings a tab to this state. */
  enter(tab: Tab): Promise<void>
}

/** A scene that opens a page and then presses `button`, if one is given. */
export function scene(name: string, url: () => Promise<string>, locale: Locale, button?: string): Scene {
  return {
    name,
    async enter(tab) {
      await tab.visit(`${await url()}?locale=${locale}`)
      if (button) await tab.press(button)
    },
  }
}
