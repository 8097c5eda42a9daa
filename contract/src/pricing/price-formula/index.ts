/** The price formula: what a call costs, computed exactly. The gateway charges by it, the console explains and estimates by it. */
export * from './class-prices'
export * from './cost-lines'
export * from './decimal'
export * from './logged-charge'
export * from './schedule'
export * from './weights'
