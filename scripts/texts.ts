import { Glob } from 'bun'

/**
 * The console's texts, said about without running it: both languages have the same keys with the same blanks, and every
 * key is used somewhere. That a used key exists, the compiler checks, by the list of areas that this writes for it.
 */
const folder = 'console/src/locales'
const [reference, translation] = ['zh', 'en'] as const

type Texts = { readonly [key: string]: string | Texts }

/** One word for one thing: what the texts do not say, and what they say instead. */
const otherWords = {
  zh: [
    [/花费/, '费用 for that of a call, 消费 for what a user, a channel or the site has spent'],
    [/(?<!文本)补全(?!倍率)|提示 ?Token/, '输入 and 输出'],
    [/提示缓存/, '提示词缓存'],
    [/词元|\btokens?\b/, 'Token'],
    [/配额/, '额度'],
    [/剩余额度/, '余额'],
    [/目录价/, '官方价'],
    [
      /请求数|次请求|请求次数(?!过多)|(?:处理|处理中的|拒绝|被拒绝的)请求/,
      '调用 for a use of a model; 请求 is what goes over HTTP',
    ],
  ],
  en: [
    [/\b(?:prompt|completion) tokens?\b/i, 'input tokens and output tokens'],
    [/\blongest (?:answer|output)\b/i, 'max output'],
    [/\bderegister/i, 'close the account'],
    [/\b(?:user|message|channel|order) management\b/i, 'the plural alone'],
    [/\bcatalog(?:ue)? price/i, 'list price'],
    [
      /^requests$|^ requests?\b|\bof {1,2}requests?\b|\bper request\b/i,
      'call for a use of a model; a request goes over HTTP',
    ],
  ],
} as const

const faults: string[] = []
await writeAreas()
const sources = await readSources()

for await (const file of new Glob('*.json').scan(`${folder}/${reference}`)) {
  const [own, other] = await Promise.all([read(reference, file), read(translation, file)])
  for (const [key, text] of own) {
    const translated = other.get(key)
    if (translated === undefined) faults.push(`${file}: ${key} is missing in ${translation}`)
    else if (blanksOf(text) !== blanksOf(translated)) faults.push(`${file}: ${key} has other blanks in ${translation}`)
    if (!isUsed(key)) faults.push(`${file}: ${key} is used nowhere`)
  }
  for (const key of other.keys()) if (!own.has(key)) faults.push(`${file}: ${key} is missing in ${reference}`)
  for (const [key, text] of [...own, ...other])
    // What might be typed is code.
    if (!key.endsWith('.example') && hasStraightQuotes(text))
      faults.push(`${file}: ${key} has straight quotes or apostrophes; write “ ” ‘ ’`)
  for (const [language, texts] of [
    [reference, own],
    [translation, other],
  ] as const)
    for (const [key, text] of texts)
      for (const [word, instead] of otherWords[language])
        if (!key.endsWith('.example') && word.test(text.replaceAll(/\{\{[^{}]*\}\}/g, '')))
          faults.push(`${file}: ${key} in ${language} says ${word.exec(text)?.[0]}; write ${instead}`)
}

if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exit(1)
}

/** The compiler cannot list files: every area is named in `areas.d.ts`. A list that was out of date is a fault once. */
async function writeAreas() {
  const files = await Array.fromAsync(new Glob('*.json').scan(`${folder}/${reference}`))
  const areas = files.map((file) => file.replace('.json', '')).sort()
  const list = Bun.file(`${folder}/areas.d.ts`)
  const written = [
    '// Written by scripts/texts.ts: makes every key of the texts known to the compiler.',
    ...areas.map((area) => `import type ${identifier(area)} from './${reference}/${area}.json'`),
    '\nexport interface Areas {',
    ...areas.map((area) => `  ${identifier(area) === area ? area : `'${area}'`}: typeof ${identifier(area)}`),
    '}\n',
  ].join('\n')
  if ((await list.exists()) && (await list.text()) === written) return
  await list.write(written)
  faults.push('areas.d.ts did not name every area of texts; it does now: run this again')
}

function identifier(area: string): string {
  return area.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

async function read(language: string, file: string): Promise<ReadonlyMap<string, string>> {
  const source = Bun.file(`${folder}/${language}/${file}`)
  return new Map((await source.exists()) ? flat((await source.json()) as Texts) : [])
}

function flat(texts: Texts, path = ''): [string, string][] {
  return Object.entries(texts).flatMap(([name, value]) =>
    typeof value === 'string' ? [[`${path}${name}`, value] as [string, string]] : flat(value, `${path}${name}.`),
  )
}

/** Typed as on a typewriter, other than in an example of JSON. */
function hasStraightQuotes(text: string): boolean {
  return /["']/.test(text.replaceAll(/\{[^{}]*\}/g, ''))
}

/** The names between double braces, in order. */
function blanksOf(text: string): string {
  return [...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)]
    .map(([, name]) => name)
    .sort((one = '', other = '') => one.localeCompare(other))
    .join()
}

async function readSources() {
  const literals = new Set<string>()
  const patterns: RegExp[] = []
  for await (const file of new Glob('console/src/**/*.{ts,tsx}').scan('.')) {
    const text = await Bun.file(file).text()
    for (const [, literal] of text.matchAll(/['"`]([\w:.-]+)['"`]/g)) if (literal) literals.add(afterArea(literal))
    for (const [, template] of text.matchAll(/`([\w:.-]*\$\{[^`]*)`/g)) if (template) patterns.push(patternOf(template))
  }
  return { literals, patterns }
}

/** `tokens:form.name` names the area apart. */
function afterArea(key: string): string {
  return key.replace(/^[\w-]+:/, '')
}

/** A template's fixed parts with anything in its blanks. */
function patternOf(template: string): RegExp {
  const parts = afterArea(template).split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/)
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+')}$`)
}

function isUsed(key: string): boolean {
  const plain = key.replace(/_(zero|one|two|few|many|other)$/, '')
  return (
    sources.literals.has(plain) || sources.patterns.some((pattern) => pattern.source !== '^.+$' && pattern.test(plain))
  )
}
