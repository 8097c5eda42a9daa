import { ActionIcon, Group } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import {
  IconDots,
  IconEdit,
  IconGauge,
  IconMessage2,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlugConnected,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react'
import { tokenRoutes, tokenStatus, type RouteResult } from '@tollgate/contract'
import { useQueryClient } from '@tanstack/react-query'

import { MenuButton, type MenuItem } from '../../components/menu-button'
import { Tip } from '../../components/tip'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'
import { useChats } from '../../lib/api/status'
import { tokenReads } from './token-data'

interface TokenActionsProps {
  readonly token: tokenRoutes.TokenEntity
  readonly onEdit: () => void
  readonly onConnect: () => void
  readonly onRotate: () => void
  readonly onLimits: () => void
}

/** Actions for one token. */
export function TokenActions({ token, onEdit, onConnect, onRotate, onLimits }: TokenActionsProps) {
  const { t } = useTranslation('tokens')
  const setStatus = useTokenStatus()
  const remove = useWrite(tokenRoutes.deleteToken, {
    changes: tokenReads,
    onSuccess: () => notifySuccess(t('deleted', { name: token.name })),
  })
  const chats = useChatItems(token.id)
  const isOff = token.status === tokenStatus.disabled
  const toggle = t(isOff ? 'action.enable' : 'action.disable')
  return (
    <Group gap={0} wrap="nowrap" justify="flex-end">
      <Tip label={toggle}>
        <ActionIcon
          aria-label={toggle}
          onClick={() => void setStatus(token, isOff ? tokenStatus.enabled : tokenStatus.disabled)}
        >
          {isOff ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
        </ActionIcon>
      </Tip>
      <Tip label={t('action.edit')}>
        <ActionIcon aria-label={t('action.edit')} onClick={onEdit}>
          <IconEdit size={16} />
        </ActionIcon>
      </Tip>
      <MenuButton
        label={t('action.more', { name: token.name })}
        icon={IconDots}
        items={[
          {
            id: 'connect',
            label: t('action.connect'),
            icon: IconPlugConnected,
            isDisabled: token.key === '',
            onClick: onConnect,
          },
          { id: 'limits', label: t('action.limits'), icon: IconGauge, onClick: onLimits },
          { id: 'rotate', label: t('action.rotate'), icon: IconRefresh, onClick: onRotate },
          ...chats,
          {
            id: 'delete',
            label: t('action.delete'),
            icon: IconTrash,
            isDangerous: true,
            startsGroup: true,
            confirmation: {
              title: t('delete.title', { name: token.name }),
              question: t('delete.question'),
              confirmText: t('action.delete'),
            },
            onClick: () => remove.mutate({ params: { id: token.id } }),
          },
        ]}
      />
    </Group>
  )
}

/** The operator's chat pages, each opened with this token's key. */
function useChatItems(tokenId: number): readonly MenuItem[] {
  const { t } = useTranslation('tokens')
  const navigate = useNavigate()
  return useChats().map(({ name, index }, position) => ({
    id: `chat-${index}`,
    label: t('action.chat', { name }),
    icon: IconMessage2,
    startsGroup: position === 0,
    onClick: () => void navigate({ to: '/chat/{-$id}', params: { id: String(index) }, search: { token: tokenId } }),
  }))
}

type Token = tokenRoutes.TokenEntity
type TokenPage = RouteResult<typeof tokenRoutes.listTokens>

/** Returns a function that enables or disables a token: shown at once, reverted when the server refuses. */
function useTokenStatus(): (token: Token, status: number) => Promise<void> {
  const client = useQueryClient()
  const write = useWrite(tokenRoutes.updateToken, { changes: tokenReads })
  const show = (token: Token) => {
    for (const { path } of tokenReads) {
      client.setQueriesData<TokenPage>({ queryKey: [path] }, (page) => page && replaceToken(page, token))
    }
  }
  return async (token, status) => {
    show({ ...token, status })
    try {
      show(await write.mutateAsync({ query: { status_only: true }, body: { id: token.id, status } }))
    } catch {
      // The write has already shown the refusal.
      show(token)
    }
  }
}

const replaceToken = (page: TokenPage, token: Token): TokenPage => ({
  ...page,
  items: page.items.map((item) => (item.id === token.id ? token : item)),
})
