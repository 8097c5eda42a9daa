import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'
import { messageRoutes, type Grant } from '@tollgate/contract'

import { aMessage } from '../../../test/message-factory'
import { renderConsole } from '../../../test/render'
import { MessageActions } from './message-actions'
import { messageSchema, newMessageValues, type MessageFault, type MessageValues } from './message-form'

const mei = { id: 7, username: 'mei', display_name: 'Mei' }
const valid: MessageValues = { ...newMessageValues, title: 'Hello', content: 'World', users: [mei] }
const users = (count: number) => Array.from({ length: count }, (_, id) => ({ ...mei, id }))

function faultsOf(values: Partial<MessageValues>): string[] {
  const { error } = messageSchema((fault: MessageFault) => fault).safeParse({ ...valid, ...values })
  return error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? []
}

test.each<[string, Partial<MessageValues>, string[]]>([
  ['all that it needs', {}, []],
  ['a blank title', { title: ' ' }, ['title title']],
  ['blank content', { content: '\n' }, ['content content']],
  ['no recipients', { users: [] }, ['users recipients']],
  ['as many recipients as allowed', { users: users(messageRoutes.maxMessageRecipients) }, []],
  ['one recipient too many', { users: users(messageRoutes.maxMessageRecipients + 1) }, ['users tooMany']],
  ['no group', { kind: 'group', users: [] }, ['group recipients']],
  ['a group', { kind: 'group', users: [], group: 'vip' }, []],
  ['no model', { kind: 'model', users: [] }, ['model recipients']],
  ['a model', { kind: 'model', users: [], model: 'big-1' }, []],
])('a message with %s has the right faults', (_, values, faults) => {
  expect(faultsOf(values)).toEqual(faults)
})

test.each<[readonly Grant[], string[]]>([
  [['messages.read'], ['View: Maintenance on Sunday']],
  [
    ['messages.read', 'messages.write'],
    ['Edit: Maintenance on Sunday', 'Delete: Maintenance on Sunday'],
  ],
])('a message is offered to holders of %j: %j', async (grants, names) => {
  await renderConsole(<MessageActions message={aMessage()} onOpen={() => {}} />, { grants })
  expect(screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual(names)
})
