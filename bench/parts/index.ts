import { rungs, startRung } from '../floor/rungs'
import { startNginx } from '../nginx'
import { profiles, type Profile } from '../profiles'
import {
  bodyScenarios,
  concurrentScenarios,
  floorScenarios,
  callScenarios,
  passedScenarios,
  profileScenarios,
  streamScenarios,
  translatedScenarios,
} from '../scenarios'
import { direct, type Starter } from '../targets'
import { startTollgate } from '../tollgate'
import { changes } from './changes'
import { frontier } from './frontier'
import { aborts, lastingStreams } from './lasting'
import { matrix } from './matrix'
import { memory } from './memory'
import type { Part } from './part'
import { responseCache } from './response-cache'
import { start } from './start'
import { upload } from './upload'
import { windows } from './windows'

const ofEachProfile: readonly Starter[] = (Object.keys(profiles) as Profile[]).map(
  (profile) => (ground) => startTollgate(ground, { profile, name: profile }),
)

/** All that the bench measures, in its order. */
export const parts: readonly Part[] = [
  matrix({
    name: 'calls',
    title: 'Small calls',
    about:
      'A question and its answer. Tollgate is governed: a limited key, rate limits, billing, a log row for each call.',
    scenarios: callScenarios,
  }),
  matrix({
    name: 'floor',
    title: 'Floor',
    about:
      'What no gateway on this runtime can do without: its server, which responds by itself; a call to the upstream by the client that Tollgate has; ' +
      'and a record of 512 bytes for each call in a file, with one write for those of a turn of the loop. The rest is work of our own.',
    scenarios: floorScenarios,
    targets: () => [startNginx, ...rungs.map(startRung), (ground) => startTollgate(ground)],
  }),
  matrix({
    name: 'streams',
    title: 'Streams',
    about:
      'Answers of 40 tokens in 44 frames. First: time to the first token of the text. Late: by how much the time between two reads exceeded the ' +
      'upstream’s pace, 4 ms unless said otherwise; the end does not count, before which Tollgate leaves out the usage that was not ' +
      'requested. Where Tollgate translates, the others pass chat completions through.',
    scenarios: streamScenarios,
  }),
  matrix({
    name: 'long',
    title: 'Long answers',
    about:
      'Answers of 2,000 tokens, of each dialect through each. In what a frame costs the call itself has little share here: what that costs is told ' +
      'above. Where Tollgate translates, nginx passes the upstream’s dialect through.',
    scenarios: [...passedScenarios, ...translatedScenarios],
    tokens: 2000,
    targets: () => [startNginx, (ground) => startTollgate(ground)],
  }),
  matrix({
    name: 'bodies',
    title: 'Bodies',
    about: 'Larger questions, with the same answer.',
    scenarios: bodyScenarios,
  }),
  matrix({
    name: 'beside',
    title: 'Large beside small',
    about:
      '100 streams while another connection makes a large call each fifth of a second. Lateness of the streams is what others notice of it.',
    scenarios: concurrentScenarios,
  }),
  matrix({
    name: 'profiles',
    title: 'Profiles',
    about: `A call always needs a key and is always booked, so no profile is without. Each adds to the one before:\n\n${Object.entries(
      profiles,
    )
      .map(([name, { title }]) => `- ${name}: ${title}`)
      .join('\n')}`,
    scenarios: profileScenarios,
    targets: () => [direct, ...ofEachProfile],
  }),
  windows,
  responseCache,
  frontier,
  changes,
  memory,
  upload,
  start,
  aborts,
  lastingStreams,
]
