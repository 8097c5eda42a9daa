/** The page of a visit that has ended: a document of the site that runs no scripts. */
export const restingPath = '/health/live'
