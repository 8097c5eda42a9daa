import { PageHeader } from '../../components/page-header'

export function SetupPage() {
  return <PageHeader title="Setup" />
}
