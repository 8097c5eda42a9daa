import { vendorText } from './vendor-models.gen'

/** Each vendor's names; made at first use. */
let lists: ReadonlyMap<string, readonly string[]> | null = null

/** Returns the models that the public lists name at a vendor and that can be sold: with a price, and not retired when listed. */
export function vendorModels(vendor: string): readonly string[] {
  lists ??= new Map(
    vendorText.split('\n').map((line) => {
      const [id = '', ...names] = line.split(' ')
      return [id, names]
    }),
  )
  return lists.get(vendor) ?? []
}
