import { useSyncExternalStore } from 'react'

import type { Areas } from '../../locales/areas'
import { formatNumber } from './format'
import { preferredLanguage, storedLanguage, type Language } from './language'

export type Area = keyof Areas

type KeysIn<T> = {
  [Name in keyof T & string]: T[Name] extends string ? Singular<Name> : `${Name}.${KeysIn<T[Name]>}`
}[keyof T & string]
type Singular<Name extends string> = Name extends `${infer Stem}_${'one' | 'other'}` ? Stem : Name

/** A key of an area, or of another area with its name as a prefix: `common:save`. */
type TextKey<A extends Area> = KeysIn<Areas[A]> | { [B in Area]: `${B}:${KeysIn<Areas[B]>}` }[Area]

/** Values of placeholders; the number `count` selects between one and several and is grouped: 12,345. Other numbers may be ids. */
type Values = Readonly<Record<string, string | number | null | undefined>>

export type Translate<A extends Area> = (key: TextKey<A>, values?: Values) => string
type Translator = (key: string, values?: Values) => string

/** Resolves with the texts of one area in one language. */
export type TextLoader = (language: Language, area: Area) => Promise<Texts>

export interface Texts {
  readonly [name: string]: string | Texts
}

let load: TextLoader = () => Promise.reject(new Error('startI18n has not been called'))
let language: Language | undefined
const loads = new Map<string, Promise<void>>()
const loaded = new Map<string, ReadonlyMap<string, string>>()
const requested = new Set<Area>()
const translators = new Map<string, Translator>()
const listeners = new Set<() => void>()

/** Makes texts available. Areas are loaded when a page first uses them. */
export async function startI18n(loader: TextLoader): Promise<void> {
  load = loader
  await speak(preferredLanguage(), ['common', 'shell'])
}

/** Loads the texts of a page together with its code, rather than when that uses them. */
export const loadAreas = async (...areas: readonly Area[]): Promise<void> =>
  void (await Promise.all(areas.map((area) => loadArea(currentLanguage(), area))))

export async function chooseLanguage(chosen: Language): Promise<void> {
  storedLanguage.set(chosen)
  await speak(chosen, [...requested])
}

export const currentLanguage = (): Language => language ?? preferredLanguage()

interface Translation<A extends Area> {
  readonly t: Translate<A>
  readonly language: Language
}

/** Returns the translator of an area, and of others whose keys name them. Suspends until they are loaded; `common` always is. */
export function useTranslation<A extends Area = 'common'>(area?: A, ...others: readonly Area[]): Translation<A> {
  const language = useSyncExternalStore(subscribe, currentLanguage)
  const own: Area = area ?? 'common'
  for (const needed of [own, ...others]) {
    // Thrown, not `use`d: after suspending, React expects the same hooks as before.
    if (!loaded.has(nameOf(language, needed))) throw loadArea(language, needed)
  }
  return { t: translatorOf(language, own), language }
}

/** Translates a text of `common` outside of components. */
export const translate: Translate<'common'> = (key, values) => translatorOf(currentLanguage(), 'common')(key, values)

/** Returns a text of a loaded area, if it has one. */
export const findText = (area: Area, key: string): string | undefined => textAt(currentLanguage(), area, key)

async function speak(next: Language, areas: readonly Area[]): Promise<void> {
  await Promise.all(areas.map((area) => loadArea(next, area)))
  language = next
  document.documentElement.lang = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const nameOf = (language: Language, area: string) => `${language} ${area}`

/** A failure is retried the next time. */
function loadArea(language: Language, area: Area): Promise<void> {
  const name = nameOf(language, area)
  requested.add(area)
  const known = loads.get(name)
  if (known) return known
  const loading = load(language, area).then(
    (texts) => void loaded.set(name, new Map(flat(texts))),
    (error: unknown) => {
      loads.delete(name)
      throw error
    },
  )
  loads.set(name, loading)
  return loading
}

/** Stable, so that it can be a dependency. */
function translatorOf(language: Language, area: Area): Translator {
  const name = nameOf(language, area)
  const known = translators.get(name)
  if (known) return known
  const translator: Translator = (key, values = {}) => {
    const [, named, path = key] = /^([\w-]+):(.+)$/.exec(key) ?? []
    const text = formFor(language, named ?? area, path, values['count'])
    return (
      text?.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_, blank: string) => formatValue(blank, values[blank], language)) ?? key
    )
  }
  translators.set(name, translator)
  return translator
}

const formatValue = (blank: string, value: Values[string], language: Language): string =>
  blank === 'count' && typeof value === 'number' ? formatNumber(value, language) : String(value ?? '')

const plurals = { zh: new Intl.PluralRules('zh'), en: new Intl.PluralRules('en') } satisfies Record<Language, object>

function formFor(language: Language, area: string, path: string, count: Values[string]) {
  const form =
    typeof count === 'number' ? textAt(language, area, `${path}_${plurals[language].select(count)}`) : undefined
  return form ?? textAt(language, area, path)
}

const textAt = (language: Language, area: string, path: string) => loaded.get(nameOf(language, area))?.get(path)

/** Texts by their full key; keys may contain dots. */
const flat = (texts: Texts, path = ''): [string, string][] =>
  Object.entries(texts).flatMap(([name, value]) =>
    typeof value === 'string' ? [[path + name, value]] : flat(value, `${path}${name}.`),
  )
