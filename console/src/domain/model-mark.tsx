import { pricingRoutes } from '@tollgate/contract'

import { useEnvelope } from '../lib/api/query'
import { VendorMark } from './vendor-mark'

const freshMs = 300_000

/** The mark of a model's maker, as the price list names it; the model's first letter where it is not on it. */
export function ModelMark({ model }: { readonly model: string }) {
  const { data } = useEnvelope(pricingRoutes.pricing, {}, { staleTime: freshMs })
  if (!data) return null
  const maker = data.data.find(({ model_name: name }) => name === model)?.owned_by
  return <VendorMark id={maker ?? ''} name={(maker && data.envelopeFields.vendors[maker]) || model} />
}
