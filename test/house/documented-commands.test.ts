import { describe, expect, test } from 'vitest'
import {
  commandsIn,
  commandsToRun,
  documents,
  LIVE_SECTION,
  runElsewhere,
  STACK_SECTION,
} from './documented-commands.ts'
import { textOf } from './source-files.ts'

const all = documents.flatMap((document) => commandsIn(document))

describe('the commands in the documents', () => {
  test('are found in every document', () => {
    const found = new Set(all.map(({ document }) => document))
    expect([...documents].filter((document) => !found.has(document))).toEqual([])
    expect(commandsToRun().length).toBeGreaterThan(15)
  })

  test('have the mark (AWS) only if they can reach an AWS account', () => {
    const reaches = /^(aws|gh|git|npx cdk (bootstrap|deploy|import)) ?|--stage |npm run smoke/
    expect(all.filter(({ needs_aws, text }) => needs_aws && !reaches.test(text))).toEqual([])
  })

  test('have the mark (AWS) if their first words show that they need an AWS account', () => {
    const needs = /^(aws|gh|npx cdk (bootstrap|deploy|import)) ?|git push/
    expect(all.filter(({ needs_aws, text }) => !needs_aws && needs.test(text))).toEqual([])
  })

  test.each(Object.entries(runElsewhere))(
    '%s is in a document, and is run where the table says',
    (text, { file, runs }) => {
      expect(all.map((command) => command.text)).toContain(text)
      expect(textOf(file)).toContain(runs)
    },
  )

  test('for a stage in the emulator are in one section, and the suite of that stage runs them', () => {
    expect(all.filter(({ section }) => section === STACK_SECTION).length).toBeGreaterThan(3)
    expect(textOf('test/stack/documented-commands.test.ts')).toContain('section === STACK_SECTION')
  })

  test('for live payments are in one section, and a test of their own runs them', () => {
    expect(all.filter(({ section }) => section === LIVE_SECTION).length).toBeGreaterThan(5)
    expect(textOf('test/long/live-commands.test.ts')).toContain('section === LIVE_SECTION')
  })
})

describe('the reader of commands', () => {
  const texts = (markdown: string) =>
    commandsIn('README.md', markdown).map(({ section, text, needs_aws }) => [section, text, needs_aws])

  test('finds them in blocks and in sentences, with their section', () => {
    const markdown = [
      ...['# Title', '', '## One', '', 'Run `npm test`, then:', '', '```sh', 'KEY=1', 'curl x \\', '  -d y', '```', ''],
      ...[
        '## Two',
        '',
        '`operate show` *(AWS)* and',
        '`operate',
        'hide`; `npm` is no command.',
        '',
        '```json',
        '{}',
        '```',
      ],
    ]
    expect(texts(`${markdown.join('\n')}\n`)).toEqual([
      ['One', 'npm test', false],
      ['One', 'curl x -d y', false],
      ['Two', 'npm run operate -- show', true],
      ['Two', 'npm run operate -- hide', false],
    ])
  })

  test('takes the mark of a block from the paragraph before it', () => {
    const markdown = 'Here *(AWS)*.\n\nThere:\n\n```sh\nnpm one\n```\n\nThere *(AWS)*:\n\n```sh\nnpm two\n```\n'
    expect(texts(markdown)).toEqual([
      ['', 'npm one', false],
      ['', 'npm two', true],
    ])
  })

  test('leaves out a mention of a command that the document shows in full', () => {
    const markdown = '`cdk deploy` changes it:\n\n```sh\nnpx cdk deploy --all\n```\n'
    expect(texts(markdown)).toEqual([['', 'npx cdk deploy --all', false]])
  })
})
