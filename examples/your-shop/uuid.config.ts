import { extendApi } from 'backlot/define';
import api from './backlot.config.ts';

export default extendApi(api, { ids: { orders: 'uuid', users: 'uuid', wishlists: 'uuid' } });
