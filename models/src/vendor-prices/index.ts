export { regionalVendors, regionOf, type Market, type Region } from './market'
export { confidences, marketsOf, vendorPriceOf, vendorPrices, type VendorPrice } from './vendor-prices'
