/** Type of the error for an answer in which the model produced nothing that can be used: another attempt may do better. */
export const failedOutput = 'failed_output'
