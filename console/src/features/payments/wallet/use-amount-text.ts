import { useSite } from '../../../lib/api/status'
import { useFormat } from '../../../lib/text/use-format'

/** Returns a formatter of top-up amounts: "$10", or quota where the site shows no currency. */
export function useAmountText() {
  const { display_in_currency: isCurrency } = useSite()
  const { number } = useFormat()
  return (amount: number): string => (isCurrency ? `$${number(amount)}` : number(amount))
}
