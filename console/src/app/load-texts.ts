const files = import.meta.glob<object>('../locales/*/*.json', { import: 'default' })

/** The texts of an area, from their own small file. */
export async function loadTexts(language: string, area: string): Promise<object> {
  const load = files[`../locales/${language}/${area}.json`]
  if (!load) throw new Error(`no texts for ${area} in ${language}`)
  return load()
}
