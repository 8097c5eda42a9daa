import { features } from '../src/console-api/features'
import { handlersOf } from '../src/http/feature'

/** Every handler of the console API. */
export const handlers = await handlersOf(features)
