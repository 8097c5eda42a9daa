import { expect, test } from 'bun:test'

import { markdownBlocks } from './markdown-blocks'

const paragraph = `${'Words. '.repeat(300).trim()}\n\n`
const starts = (text: string) => markdownBlocks(text).map((block) => block.slice(0, 5))

test('the blocks together are the text', () => {
  for (const text of ['', 'short', paragraph.repeat(5), `${paragraph}- a\n\n- b\n\n${paragraph}# End`])
    expect(markdownBlocks(text).join('')).toBe(text)
})

test('a paragraph, a heading and a fence begin a block', () => {
  expect(starts(`${paragraph}# One\n${paragraph}\`\`\`ts\na\n\`\`\`\n\n`)).toEqual(['Words', '# One', '```ts'])
})

test.each([
  ['a list that goes on', '- a\n\n- b\n\n  more\n\n1. c\n'],
  ['a fence that is open', `~~~\n${paragraph.repeat(3)}\`\`\`\n\nstill code`],
  ['a longer fence around a shorter one', `\`\`\`\`\n${paragraph.repeat(2)}\`\`\`\n\nstill code\n\`\`\`\``],
])('%s stays in one block', (_, text) => {
  const blocks = markdownBlocks(`${paragraph}Intro:\n\n${text}`)
  expect(blocks).toHaveLength(2)
})

test('reference definitions keep the whole text together', () => {
  expect(markdownBlocks(`${paragraph}${paragraph}[a]: https://a.example`)).toHaveLength(1)
})

test('while a text grows, all blocks but the last stay the same', () => {
  const whole = `${paragraph}# One\n\n${paragraph}- a\n- b\n\n${paragraph}\`\`\`\n${paragraph}\`\`\`\n\n${paragraph}`
  let before: string[] = []
  for (let length = 0; length <= whole.length; length += 7) {
    const blocks = markdownBlocks(whole.slice(0, length))
    expect(blocks.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1))
    before = blocks
  }
  expect(before.length).toBeGreaterThan(3)
})
