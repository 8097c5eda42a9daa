import { PageHeader } from '../../components/page-header'

export function PricingPage() {
  return <PageHeader title="Pricing" />
}
