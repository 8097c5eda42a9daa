export * from './provider'
