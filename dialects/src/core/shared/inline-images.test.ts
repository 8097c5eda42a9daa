import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { AnswerWords, InlineImages } from './inline-images'

const base64 = 'iVBORw0KGgo+/A=='
const image = (data = base64.repeat(9)) => `data:image/png;base64,${data}`

test.each<[string, string, string, number]>([
  ['one in Markdown', `see ![p](${image()}) there`, 'see ![p](data:image/png;base64,) there', 1],
  ['two', `${image()} ${image()}`, 'data:image/png;base64, data:image/png;base64,', 2],
  ['escaped slashes', `x data:image\\/svg+xml;base64,${'AB\\/C'.repeat(30)} y`, 'x data:image\\/svg+xml;base64, y', 1],
  [
    'no base64',
    `data:image/svg+xml,<svg>${'x'.repeat(99)}</svg>`,
    `data:image/svg+xml,<svg>${'x'.repeat(99)}</svg>`,
    0,
  ],
  ['another file', `data:application/pdf;base64,${'A'.repeat(99)}`, `data:application/pdf;base64,${'A'.repeat(99)}`, 0],
  [
    'words about them',
    'data:image data:image/ data:image/png;base64 '.repeat(9),
    'data:image data:image/ data:image/png;base64 '.repeat(9),
    0,
  ],
])('pictures are left out of a text: %s', (_what, text, left, count) => {
  const words = new AnswerWords([text])
  expect([words.text, words.images]).toEqual([left, count])
})

test('pictures are found however the text between their beginnings is cut', () => {
  const parts = fc.array(fc.constantFrom('hello ', `(${image()})`, `${image('A'.repeat(500))}\n`, ' +/= '), {
    maxLength: 6,
  })
  fc.assert(
    fc.property(parts, fc.array(fc.nat(700), { maxLength: 8 }), (texts, cuts) => {
      const text = texts.join('')
      const whole = new AnswerWords([text])
      const images = new InlineImages()
      let left = ''
      const beginnings = [...text.matchAll(/data:image\/png;base64,/g)]
      const inBeginning = (at: number) =>
        beginnings.some(({ index, 0: { length } }) => at > index && at < index + length)
      const places = [
        0,
        ...cuts.filter((at) => at < text.length && !inBeginning(at)).toSorted((a, b) => a - b),
        text.length,
      ]
      for (const [index, start] of places.entries())
        images.around(text, start, places[index + 1] ?? start, (from, to) => (left += text.slice(from, to)))
      expect([left, images.count]).toEqual([whole.text, whole.images])
    }),
  )
})
