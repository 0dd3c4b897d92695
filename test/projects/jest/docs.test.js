import './blocks/in-tests-jest.js';

test('the lines of the docs have each request answered by a back office', async () => {
  const response = await fetch('https://shop.test/api/users/1');
  expect(response.status).toBe(200);
});
