import { expect, test } from 'bun:test'
import { optionKeys, optionOf, type OptionKey } from '@tollgate/contract'

import { keysOf, settingsPages } from './settings-pages'
import { optionTextsOf, type OptionTexts } from './settings-search'

interface Words {
  readonly label: string
  readonly help: string
  readonly example?: string
  readonly choice?: Readonly<Record<string, string>>
}

const read = async (language: string, area: OptionTexts) =>
  (await Bun.file(`${import.meta.dir}/../../locales/${language}/${area}.json`).json()) as Record<string, Words>

const areas = new Map<OptionTexts, OptionKey[]>()
for (const { name, sections } of settingsPages) {
  const area = optionTextsOf(name)
  areas.set(area, [...(areas.get(area) ?? []), ...sections.flatMap(keysOf)])
}

test('every option is on exactly one page', () => {
  expect([...areas.values()].flat().sort()).toEqual([...optionKeys].sort())
})

for (const language of ['en', 'zh']) {
  for (const [area, keys] of areas) {
    test(`options have a label, a help text, an example and a name for each choice (${language}, ${area})`, async () => {
      const texts = await read(language, area)
      for (const key of keys) {
        const { kind, choices = [] } = optionOf(key)
        const expected = {
          label: expect.stringMatching(/^\S/),
          help: expect.stringMatching(/^\S/),
          ...(!['boolean', 'choice', 'choices'].includes(kind) && { example: expect.stringMatching(/./) }),
          ...(choices.length > 0 && {
            choice: Object.fromEntries(choices.map((choice) => [choice, expect.stringMatching(/./)])),
          }),
        }
        expect([key, texts[key]]).toEqual([key, expected])
      }
    })

    test(`every text belongs to an option of its pages (${language}, ${area})`, async () => {
      expect(Object.keys(await read(language, area)).filter((key) => !keys.some((one) => one === key))).toEqual([])
    })

    test(`examples are valid unless they are descriptions (${language}, ${area})`, async () => {
      const texts = await read(language, area)
      for (const key of keys) {
        const example = texts[key]?.example
        if (example === undefined || optionOf(key).kind === 'secret') continue
        expect([key, example, optionOf(key).schema().safeParse(example).success]).toEqual([key, example, true])
      }
    })
  }
}
