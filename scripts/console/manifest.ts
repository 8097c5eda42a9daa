import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Vite's account of a build: which source became which file, and what that file imports. */
export type Manifest = Readonly<Record<string, Chunk>>

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

/** The manifest, with what `index.html` loads under that name: the entry itself may be a part of a shared file. */
export function readManifest(folder: string): Manifest {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const loaded = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file]) => file)
  const imports = Object.keys(manifest).filter((source) => loaded.includes(manifest[source]?.file))
  return { ...manifest, 'index.html': { file: 'index.html', imports } }
}

/**
 * The files that are loaded for these sources: their own, and what they import at once.
 * @throws Error naming a source that the build does not have.
 */
export function filesOf(manifest: Manifest, sources: readonly string[]): Set<string> {
  const files = new Set<string>()
  const waiting = [...sources]
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
    const entry = manifest[source]
    if (!entry) throw new Error(`The build has no ${source}`)
    if (files.has(entry.file)) continue
    files.add(entry.file)
    for (const css of entry.css ?? []) files.add(css)
    waiting.push(...(entry.imports ?? []))
  }
  return files
}
