import { features } from '../src/console-api/features'
import { handlersOf } from '../src/http/handler'

/** Every handler of the console API. */
export const handlers = await handlersOf(features)
