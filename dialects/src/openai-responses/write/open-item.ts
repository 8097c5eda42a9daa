import type { Tool } from '../../neutral/call'
import type { BlockKind } from '../../neutral/events'
import { dialectId } from '../name'
import { CallWriter } from './call-item'
import { freeTextNames } from '../free-text'
import type { IdOf, ItemWriter } from './item'
import { MessageWriter } from './message-item'
import { ThoughtWriter } from './reasoning-item'
import { OwnWriter, PictureWriter } from './whole-item'

/** The writer of the item that a block begins; null when the dialect has no word for it. */
export function openItem(of: BlockKind, tools: readonly Tool[], idOf: IdOf): ItemWriter | null {
  switch (of.kind) {
    case 'text':
    case 'refusal':
      return new MessageWriter(idOf('msg_'))
    case 'media':
      return new PictureWriter(idOf('ig_'))
    case 'thinking':
      return new ThoughtWriter(idOf('rs_', of.id), false)
    case 'redacted-thinking':
      return new ThoughtWriter(idOf('rs_'), true)
    case 'tool-call':
      return openCall(of, tools, idOf)
    default:
      return of.dialect === dialectId ? new OwnWriter(of.value, idOf) : null
  }
}

function openCall(of: Extract<BlockKind, { kind: 'tool-call' }>, tools: readonly Tool[], idOf: IdOf): ItemWriter {
  const { id, name, itemId } = of
  const isWrapped = freeTextNames(tools).has(name)
  const form = of.isCustom ? 'custom' : isWrapped ? 'wrapped' : 'function'
  const ownId = idOf(form === 'function' ? 'fc_' : 'ctc_', itemId)
  return new CallWriter({ id: ownId, callId: idOf('call_', id, ''), name, form })
}
