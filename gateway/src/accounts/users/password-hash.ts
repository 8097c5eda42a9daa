import { WorkQueue } from '../../platform/time/work-queue'

/** 20 ms of a processor and 19 MB each: a flood of sign-ins leaves the rest of the machine to others. */
const passwordWork = new WorkQueue({ running: 2, perKey: 2, waiting: 100 })

/** Resolves with a new hash. @throws AppError `gateway.busy`. */
export const hashPassword = (
  password: string,
  parameters: Exclude<Parameters<typeof Bun.password.hash>[1], undefined>,
): Promise<string> => passwordWork.run(() => Bun.password.hash(password, parameters))

/** Resolves with whether a password matches a hash. @throws AppError `gateway.busy`; Error for a hash of an unknown kind. */
export const matchesHash = (password: string, hash: string): Promise<boolean> =>
  passwordWork.run(() => Bun.password.verify(password, hash))
