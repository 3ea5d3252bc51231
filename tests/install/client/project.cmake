# A C++17 application that compiles programs itself.
cmake_minimum_required(VERSION 3.25)
project(ClientApp LANGUAGES CXX)
set(CMAKE_CXX_EXTENSIONS OFF)
find_package(Halyard 0.1 REQUIRED COMPONENTS client)
add_executable(client_app client_app.cc)
target_compile_options(client_app PRIVATE -std=c++17 -Wall -Wextra -Werror -pedantic)
target_link_libraries(client_app PRIVATE Halyard::client)
