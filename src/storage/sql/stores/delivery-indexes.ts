/** The indexes that the migration `delivery-orders` drops. It is published, so the list never changes. */
export const formerDeliveryIndexes: readonly string[] = ['webhook_deliveries', 'form_deliveries', 'image_jobs'].flatMap(
  (collection) =>
    ['target,subject,state,sequence', 'target,state,sequence'].map((fields) => `records_by:${collection}:${fields}`),
)
