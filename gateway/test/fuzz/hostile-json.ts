import * as fc from 'fast-check'

/** A value as its JSON is written: texts that no value has, such as numbers beyond 2^63 or the same member twice. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** Writes a value as JSON, with raw parts as they are. */
export function writeJson(value: unknown): string {
  if (value instanceof RawJson) return value.text
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`).join(',')}}`
}

const raw = (text: string): RawJson => new RawJson(text)
const nest = (open: string, inside: string, close: string, depth: number): RawJson =>
  raw(open.repeat(depth) + inside + close.repeat(depth))

/** Texts that have broken programs: unprintable, half of a character, wildcards, names of built-in members, addresses, patterns. */
export const oddTexts: readonly string[] = [
  '',
  ' ',
  'a\0b',
  '\u0001\u001b[31m\u007f',
  'two\nlines\r\n',
  'a\tb',
  '\u0085\u2028\u2029',
  '\u202etxt.exe',
  '\ufeff',
  '\ud800',
  'a\udc00b',
  '\u{10ffff}',
  'é'.normalize('NFD'),
  '𝕬'.repeat(300),
  '%',
  '%_%_%_%',
  '\\',
  "'; drop table users; --",
  '"',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'NaN',
  'Infinity',
  '-1',
  '0x10',
  '1e999',
  '9007199254740993',
  '-9007199254740993',
  '9223372036854775808',
  '-9223372036854775809',
  '9'.repeat(400),
  '2026-13-45T99:99:99Z',
  '../../etc/passwd',
  'http://[::1',
  'https://user:pass@169.254.169.254/',
  'data:image/png;base64,AAAA',
  '{"a":1}',
  '[]',
  '(a+)+$',
  'regex:(',
  '{{x}}',
  '<script>alert(1)</script>',
  '=1+1',
  ',,,,',
]

const longTexts: readonly string[] = [
  'x'.repeat(5000),
  'ab '.repeat(50_000),
  '\u0001'.repeat(3000),
  'a,'.repeat(20_000),
]

const oddNumbers: readonly unknown[] = [
  0,
  raw('-0'),
  -1,
  1.5,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  -(2 ** 53),
  raw('9007199254740993'),
  raw('9223372036854775807'),
  raw('9223372036854775808'),
  raw('-9223372036854775809'),
  1e21,
  1e-7,
  raw('1e308'),
  raw('1e400'),
  raw('-1e400'),
  raw('1e-400'),
  raw(`1${'0'.repeat(400)}`),
]

const oddShapes: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [null],
  [[]],
  [{}],
  { type: 'text' },
  raw('{"__proto__":{"polluted":true}}'),
  raw('{"constructor":{"prototype":{"polluted":true}}}'),
  raw('{"a":1,"a":2}'),
  nest('[', '', ']', 70),
  nest('{"a":', '1', '}', 70),
  nest('[', '', ']', 5000),
  Array.from({ length: 3000 }, (_, index) => index),
  Array.from({ length: 300 }, () => 'x'),
  Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`m${index}`, index])),
]

/** What no parser takes. */
const brokenJson: readonly RawJson[] = ['NaN', 'Infinity', '01', "'a'", '"\u0001"', '"\\x"', '[1,]', '{"a"}', ''].map(
  raw,
)

/** A value that its reader did not expect. */
export const oddJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 24, arbitrary: fc.constantFrom<unknown>(...oddTexts) },
  { weight: 20, arbitrary: fc.constantFrom<unknown>(...oddNumbers) },
  { weight: 16, arbitrary: fc.constantFrom<unknown>(...oddShapes) },
  { weight: 4, arbitrary: fc.constantFrom<unknown>(...longTexts) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(...brokenJson) },
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
)

type Change =
  | { readonly kind: 'replace'; readonly by: unknown }
  | { readonly kind: 'remove' }
  | { readonly kind: 'wrap' }
  | { readonly kind: 'twice'; readonly by: unknown }
  | { readonly kind: 'add'; readonly name: string; readonly by: unknown }

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 8, arbitrary: oddJson.map((by): Change => ({ kind: 'replace', by })) },
  { weight: 2, arbitrary: fc.constant<Change>({ kind: 'remove' }) },
  { weight: 1, arbitrary: fc.constant<Change>({ kind: 'wrap' }) },
  { weight: 1, arbitrary: oddJson.map((by): Change => ({ kind: 'twice', by })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('unknown', ...oddTexts), oddJson)
      .map(([name, by]): Change => ({ kind: 'add', name, by })),
  },
)

const removed = Symbol('removed')

/** Returns the value with what stands at one of its places changed; `choice` says at which. */
function changeAt(value: unknown, choice: number, how: Change): unknown {
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return changeWhole(value, how)
  const entries = Object.entries(value)
  const at = choice % (entries.length + 1)
  const rest = Math.floor(choice / (entries.length + 1))
  if (at === entries.length) return changeWhole(value, how)
  const [name, member] = entries[at] ?? ['', null]
  if (how.kind === 'twice' && !Array.isArray(value)) {
    const whole = writeJson(value)
    return raw(`${whole.slice(0, -1)},${JSON.stringify(name)}:${writeJson(how.by)}}`)
  }
  const next = changeAt(member, rest, how)
  const changed = entries.flatMap((entry, index) => (index !== at ? [entry] : next === removed ? [] : [[name, next]]))
  return Array.isArray(value) ? changed.map(([, one]) => one) : Object.fromEntries(changed)
}

function changeWhole(value: unknown, how: Change): unknown {
  if (how.kind === 'remove') return removed
  if (how.kind === 'wrap') return [value]
  if (how.kind === 'twice') return value
  if (how.kind === 'replace') return how.by
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof RawJson)
  return isObject ? { ...value, [how.name]: how.by } : how.by
}

/** Without a bias all changes would be at the first member. */
const place = fc.noBias(fc.nat())

/** Values of an arbitrary with none to three places changed, as JSON; undefined where nothing is left. */
export function hostileJson(values: fc.Arbitrary<unknown>): fc.Arbitrary<string | undefined> {
  const changed = fc
    .tuple(values, fc.array(fc.tuple(place, change), { maxLength: 3 }))
    .map(([value, changes]) => changes.reduce(changeInside, value))
  return fc
    .oneof({ weight: 29, arbitrary: changed }, { weight: 1, arbitrary: fc.option(oddJson, { nil: undefined }) })
    .map((value) => (value === undefined ? undefined : writeJson(value)))
}

/** Returns the value with a change at a place inside; what has no inside is replaced. */
function changeInside(value: unknown, [choice, how]: readonly [number, Change]): unknown {
  const count = typeof value === 'object' && value !== null ? Object.keys(value).length : 0
  const next = changeAt(value, count === 0 ? 0 : (choice % count) + (count + 1) * Math.floor(choice / count), how)
  return next === removed ? undefined : next
}
