import type { CDPSession, Page } from 'puppeteer-core'

/** An element of the page as assistive technology sees it. */
export interface Element {
  readonly role: string
  readonly name: string
  readonly value: string
  readonly description: string
  readonly focused: boolean
  readonly invalid: boolean
  readonly checked: boolean
  readonly expanded: boolean
  /** The id of the node in the browser. */
  readonly node: number
}

/** The roles of elements that accept text. */
export const FIELDS = /^(textbox|searchbox|combobox|spinbutton)$/i

/** The elements that the browser exposes to assistive technology, which needs no script of the page. */
export async function elementsOf(devtools: CDPSession): Promise<Element[]> {
  const { nodes } = await devtools.send('Accessibility.getFullAXTree')
  return inOrderOfPage(nodes)
    .filter(({ ignored, role }) => !ignored && role?.value !== 'InlineTextBox')
    .map(({ role, name, value, description, properties = [], backendDOMNodeId = 0 }) => {
      const property = (wanted: string) =>
        String(properties.find((each) => each.name === wanted)?.value.value ?? 'false')
      return {
        role: role?.value ?? '',
        name: name?.value ?? '',
        value: String(value?.value ?? ''),
        description: description?.value ?? '',
        focused: property('focused') === 'true',
        invalid: property('invalid') !== 'false',
        checked: property('checked') === 'true',
        expanded: property('expanded') === 'true',
        node: backendDOMNodeId,
      }
    })
}

/** Sorts the nodes of the tree in depth. The browser lists them in breadth, so one with a wrapper of its own comes late. */
function inOrderOfPage<N extends { readonly nodeId: string; readonly childIds?: string[] }>(nodes: readonly N[]): N[] {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const from = (id: string): N[] => {
    const node = byId.get(id)
    return node ? [node, ...(node.childIds ?? []).flatMap(from)] : []
  }
  return nodes[0] ? from(nodes[0].nodeId) : []
}

/** Whether an element has this accessible name. */
export const isNamed = (element: Element, name: string | RegExp): boolean =>
  typeof name === 'string' ? element.name === name : name.test(element.name)

/** Scrolls to an element and clicks in its middle. */
export async function clickOn(page: Page, devtools: CDPSession, { node }: Element): Promise<void> {
  await devtools.send('DOM.scrollIntoViewIfNeeded', { backendNodeId: node })
  const { quads } = await devtools.send('DOM.getContentQuads', { backendNodeId: node })
  const [x1, y1, , , x2, y2] = quads[0] as [number, number, number, number, number, number]
  await page.mouse.click((x1 + x2) / 2, (y1 + y2) / 2)
}

/** Replaces the text of a field. */
export async function typeInto(page: Page, devtools: CDPSession, { node }: Element, text: string): Promise<void> {
  await devtools.send('DOM.focus', { backendNodeId: node })
  const { object } = await devtools.send('DOM.resolveNode', { backendNodeId: node })
  await devtools.send('Runtime.callFunctionOn', {
    objectId: object.objectId!,
    functionDeclaration: 'function () { this.select() }',
  })
  if (text === '') await page.keyboard.press('Backspace')
  else await page.keyboard.sendCharacter(text)
}
