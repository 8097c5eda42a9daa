/** Returns a coordinate or length for the path of a chart: to a hundredth of a pixel. */
export const pathNumber = (pixels: number): number => Math.round(pixels * 100) / 100
