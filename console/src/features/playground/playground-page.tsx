import { PageHeader } from '../../components/page-header'

export function PlaygroundPage() {
  return <PageHeader title="Playground" />
}
