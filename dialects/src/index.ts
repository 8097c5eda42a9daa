export * from './json'
export * from './mode'
export * from './usage'
