import { providers } from '../providers/src/index'
import { selfCheck } from './self-check/self-check'

/** Calls each vendor whose key is in the environment and compares what it responds to its fixture: docs/recordings.md. */
const { lines, isGood } = await selfCheck(providers, process.env)
console.log(lines.join('\n'))
process.exitCode = isGood ? 0 : 1
