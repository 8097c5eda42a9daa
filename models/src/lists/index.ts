export { makers, namesModel } from './makers'
export { priceLines, type SourceDates } from './price-lines'
export { readLiteLlmPrices, readModelsDevPrices, type PriceListing } from './price-sources'
export { sourceDates } from './source-dates'
