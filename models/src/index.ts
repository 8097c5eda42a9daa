export { datesOf, dayInName, isRetired, readDateLine, writeDateLine, type ModelDates } from './model-dates'
export {
  abilities,
  catalogedModels,
  limitsOf,
  modalities,
  modelKinds,
  modelOf,
  writeEntry,
  type Ability,
  type Modality,
  type ModelEntry,
  type ModelKind,
  type ModelLimits,
} from './model-catalog'
export { isEmbeddingName, modelFamilyOf, modelKey, modelKeys } from './model-names'
export { catalogedPrices, catalogPriceOf, familyPriceOf, priceIn } from './price-catalog'
export {
  modeFields,
  priceClasses,
  ratioClasses,
  tokenClasses,
  toolClasses,
  unitClasses,
  type ClassPrices,
  type ClassRatios,
  type ModeField,
  type PriceClass,
  type PriceEntry,
  type PriceMode,
  type PriceSchedule,
  type PriceTier,
  type RatioClass,
  type TokenClass,
  type ToolClass,
  type UnitClass,
} from './price-entry'
export { readPriceLine, writePriceLine } from './price-line'
export { reasonWithoutPrice } from './set-your-own'
export { vendorModels } from './vendor-models'
export {
  confidences,
  marketsOf,
  regionalVendors,
  regionOf,
  vendorPriceOf,
  vendorPrices,
  type Market,
  type Region,
  type VendorPrice,
} from './vendor-prices/vendor-prices'
