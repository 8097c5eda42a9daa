import type { UpstreamCodec } from '../neutral/codec'
import { createReader, readAnswer } from './read/response'
import { writeCall } from './write/call'

/** Cohere's second chat API, of upstreams. */
export const cohereChatCodec: UpstreamCodec = { writeCall, readAnswer, createReader }
