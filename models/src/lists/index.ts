export { corrections } from './corrections'
export { makers, namesModel } from './makers'
export { priceLines, sourceDates, type SourceDates } from './price-lines'
export { readLiteLlmPrices, readModelsDevPrices, type PriceListing } from './price-sources'
