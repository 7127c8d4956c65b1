/** Elements that refer to others. */

/** An instance of a component. */
export const instanceOf = (component: number) => ({
  ...{ id: '5c5c5c5', elType: 'widget', widgetType: 'e-component', elements: [] },
  settings: {
    component_instance: {
      $$type: 'component-instance',
      value: { component_id: { $$type: 'number', value: component }, overrides: [] },
    },
  },
})
