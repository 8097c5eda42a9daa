import { PageHeader } from '../../components/page-header'

export function ChatLinkPage() {
  return <PageHeader title="Chat" />
}
