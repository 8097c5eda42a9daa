import { createFileRoute } from '@tanstack/react-router'

import { AdminsOnly } from '../app/admins-only'
import { requireLogin } from '../app/guards'
import { ChannelSearch } from '../features/channels/channel-search'
import { ChannelsPage } from '../features/channels/channels-page'
import { loadAreas } from '../lib/text/i18n'

export const Route = createFileRoute('/admin/channels')({
  validateSearch: ChannelSearch,
  beforeLoad: requireLogin,
  loader: () => loadAreas('channels'),
  component: () => (
    <AdminsOnly grants="channels.read">
      <ChannelsPage />
    </AdminsOnly>
  ),
})
