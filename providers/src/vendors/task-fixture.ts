import { z } from 'zod'

import type { Provider } from '../provider'
import { actionPlatforms } from '../task-apis'
import { Source } from './fixture'

const AnyObject = z.record(z.string(), z.unknown())
const Reply = z.strictObject({ status: z.number(), body: z.unknown() })

/** What a client requests, in the words of the platform. */
const ClientRequest = z.strictObject({
  action: z.string(),
  body: AnyObject,
  origin: z.strictObject({ vendorId: z.string(), data: AnyObject }).optional(),
})

/** What must arrive at the vendor, nothing left out. */
const SentCall = z.strictObject({
  method: z.enum(['GET', 'POST', 'DELETE']),
  url: z.string(),
  body: AnyObject.optional(),
})

const OfPlatform = z.strictObject({
  /** Requests of clients and the calls that they become. */
  submissions: z
    .array(z.strictObject({ request: ClientRequest, callbackUrl: z.string().optional(), call: SentCall }))
    .min(1),
  /** Replies to a submission and what they mean. */
  replies: z.array(z.strictObject({ source: Source, reply: Reply, means: AnyObject })).min(1),
  fetch: z.strictObject({ ids: z.array(z.string()), call: SentCall }),
  /** Replies to the question how tasks are doing. */
  reports: z.array(
    z.strictObject({ source: Source, body: z.unknown(), ids: z.array(z.string()), means: z.array(AnyObject) }),
  ),
  /** Replies that are not the vendor's. */
  malformed: z.array(z.unknown()).min(1),
})

/** How one vendor runs tasks in the words of their platform, each reply with its source. The texts in it are invented. */
const TaskFixture = z.partialRecord(z.enum(actionPlatforms), OfPlatform)

/** The vendor's fixture. Throws when it is missing or malformed. */
export const taskFixtureOf = async (provider: Provider): Promise<z.infer<typeof TaskFixture>> =>
  TaskFixture.parse(await Bun.file(`${import.meta.dir}/fixtures/${provider.id}.tasks.json`).json())
