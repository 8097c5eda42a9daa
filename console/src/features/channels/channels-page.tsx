import { PageHeader } from '../../components/page-header'

export function ChannelsPage() {
  return <PageHeader title="Channels" />
}
