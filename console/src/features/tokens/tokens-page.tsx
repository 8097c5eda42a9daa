import { PageHeader } from '../../components/page-header'

export function TokensPage() {
  return <PageHeader title="Tokens" />
}
