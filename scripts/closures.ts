import { Glob } from 'bun'

import { closuresIn } from './closures/find-closures'

/*
 * State is a class with `#` fields; what has none is a function. A function that returns methods over its own variables is a class that
 * no one can name, extend the type of, or see in a heap snapshot.
 */
const faults: string[] = []
for (const path of new Glob(
  '{contract,models,dialects,providers,gateway,console,simulator}/src/**/*.{ts,tsx}',
).scanSync('.')) {
  if (/\.test\.tsx?$|\/test\/|\.gen\.ts$/.test(path)) continue
  const text = await Bun.file(path).text()
  for (const { name, start, state } of closuresIn(path, text)) {
    const line = text.slice(0, start).split('\n').length
    faults.push(`${path}:${line}: ${name} returns methods over ${state.join(', ')}: write a class`)
  }
}
if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exit(1)
}
