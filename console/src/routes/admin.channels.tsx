import { createFileRoute } from '@tanstack/react-router'

import { requireLogin } from '../app/guards'
import { ChannelSearch } from '../features/channels/channel-search'
import { ChannelsPage } from '../features/channels/channels-page'

export const Route = createFileRoute('/admin/channels')({
  validateSearch: ChannelSearch,
  beforeLoad: requireLogin,
  component: ChannelsPage,
})
