/** The price formula: what a call costs, computed exactly, and what top-ups bring on top. The gateway charges by it, the console explains and estimates by it. */
export * from './class-prices'
export * from './cost-lines'
export * from './decimal'
export * from './logged-charge'
export * from './schedule'
export * from './top-up-bonus'
export * from './weights'
