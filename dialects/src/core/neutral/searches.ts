import type { Tool, VendorTool } from './call'

/** Returns the tool by which a client lets the model search the web. */
export const searchTool = (tools: readonly Tool[]): VendorTool | undefined =>
  tools.find((tool): tool is VendorTool => tool.kind === 'built-in' && tool.tool === 'web-search')
