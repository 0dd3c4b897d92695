export { defineApi, extendApi, fault, resource, step } from './shop/extend-store-api.ts';
export { storeApi } from './shop/store-api.ts';
export { Problem } from './engine/lib/problem.ts';
export { field } from './engine/extend/field.ts';
